// SPDX-License-Identifier: Apache-2.0
// nothing: what it costs to start a process.

int main(void) { return 0; }
