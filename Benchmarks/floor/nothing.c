// nothing: what it costs to start a process.

int main(void) { return 0; }
