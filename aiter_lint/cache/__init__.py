"""What earlier runs know: the facts of files, and the answer of a run when nothing changed.

Everything in the cache's folder may be damaged, foreign or hostile. It is plain text and typed
msgpack, which run nothing when they are loaded, and what does not fit is passed over."""
