// SPDX-License-Identifier: Apache-2.0
/* liblilv: with what reads RDF four libraries, which a run without LV2 plug-ins does not need. */

#define _GNU_SOURCE
#define SONAME "liblilv-0.so.0"
#define PACKAGE "liblilv-0-0"
#define FUNCTIONS(F) \
  F(lilv_instance_free) F(lilv_new_uri) F(lilv_node_as_bool) F(lilv_node_as_float) F(lilv_node_as_string) \
  F(lilv_node_as_uri) F(lilv_node_free) F(lilv_node_is_bool) F(lilv_node_is_float) F(lilv_node_is_int) \
  F(lilv_node_is_uri) F(lilv_nodes_begin) F(lilv_nodes_free) F(lilv_nodes_get) F(lilv_nodes_is_end) \
  F(lilv_nodes_next) F(lilv_plugin_class_get_label) F(lilv_plugin_get_class) F(lilv_plugin_get_latency_port_index) \
  F(lilv_plugin_get_name) F(lilv_plugin_get_num_ports) F(lilv_plugin_get_port_by_index) F(lilv_plugin_get_related) \
  F(lilv_plugin_get_required_features) F(lilv_plugin_get_uri) F(lilv_plugin_has_feature) F(lilv_plugin_has_latency) \
  F(lilv_plugin_instantiate) F(lilv_plugins_begin) F(lilv_plugins_get) F(lilv_plugins_get_by_uri) \
  F(lilv_plugins_is_end) F(lilv_plugins_next) F(lilv_port_get) F(lilv_port_get_name) F(lilv_port_get_range) \
  F(lilv_port_get_scale_points) F(lilv_port_get_symbol) F(lilv_port_has_property) F(lilv_port_is_a) \
  F(lilv_scale_point_get_label) F(lilv_scale_point_get_value) F(lilv_scale_points_begin) F(lilv_scale_points_free) \
  F(lilv_scale_points_get) F(lilv_scale_points_is_end) F(lilv_scale_points_next) F(lilv_state_free) \
  F(lilv_state_new_from_world) F(lilv_state_restore) F(lilv_world_ask) F(lilv_world_free) F(lilv_world_get) \
  F(lilv_world_get_all_plugins) F(lilv_world_load_all) F(lilv_world_load_resource) F(lilv_world_new)

#include "library.h"
