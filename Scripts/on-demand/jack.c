// SPDX-License-Identifier: Apache-2.0
/* libjack: only the end jack: needs it, from jackd or from PipeWire. */

#define _GNU_SOURCE
#define SONAME "libjack.so.0"
#define PACKAGE "libjack-jackd2-0"
#define FUNCTIONS(F) \
  F(jack_activate) F(jack_client_close) F(jack_client_name_size) F(jack_client_open) F(jack_connect) F(jack_free) \
  F(jack_get_buffer_size) F(jack_get_client_name) F(jack_get_ports) F(jack_get_sample_rate) \
  F(jack_get_xrun_delayed_usecs) F(jack_last_frame_time) F(jack_on_info_shutdown) F(jack_on_shutdown) \
  F(jack_port_by_name) F(jack_port_flags) F(jack_port_get_all_connections) F(jack_port_get_buffer) \
  F(jack_port_get_latency_range) F(jack_port_name) F(jack_port_register) F(jack_port_set_latency_range) \
  F(jack_port_unregister) F(jack_recompute_total_latencies) F(jack_set_buffer_size_callback) \
  F(jack_set_error_function) F(jack_set_freewheel_callback) \
  F(jack_set_info_function) F(jack_set_latency_callback) F(jack_set_port_connect_callback) \
  F(jack_set_port_registration_callback) F(jack_set_process_callback) F(jack_set_sample_rate_callback) \
  F(jack_set_thread_init_callback) F(jack_set_xrun_callback)

#include "library.h"
