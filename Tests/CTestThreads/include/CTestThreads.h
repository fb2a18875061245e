// Nothing to call: the library's constructor does the work.
