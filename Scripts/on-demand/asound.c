// SPDX-License-Identifier: Apache-2.0
/* libasound: only devices need it. */

#define _GNU_SOURCE
#define SONAME "libasound.so.2"
#define PACKAGE "libasound2"
#define FUNCTIONS(F) \
  F(snd_card_next) F(snd_ctl_card_info) F(snd_ctl_card_info_free) F(snd_ctl_card_info_get_id) \
  F(snd_ctl_card_info_get_name) F(snd_ctl_card_info_malloc) F(snd_ctl_close) F(snd_ctl_open) F(snd_ctl_pcm_info) \
  F(snd_ctl_pcm_next_device) F(snd_device_name_free_hint) F(snd_device_name_get_hint) F(snd_device_name_hint) \
  F(snd_lib_error_set_handler) F(snd_output_buffer_open) F(snd_output_buffer_string) F(snd_output_close) \
  F(snd_pcm_avail) F(snd_pcm_close) F(snd_pcm_drain) F(snd_pcm_drop) F(snd_pcm_dump) \
  F(snd_pcm_forward) F(snd_pcm_get_chmap) F(snd_pcm_hw_params) F(snd_pcm_hw_params_any) F(snd_pcm_hw_params_can_pause) \
  F(snd_pcm_hw_params_copy) F(snd_pcm_hw_params_free) F(snd_pcm_hw_params_get_buffer_size) \
  F(snd_pcm_hw_params_get_channels) \
  F(snd_pcm_hw_params_get_format) F(snd_pcm_hw_params_get_period_size) F(snd_pcm_hw_params_get_rate) \
  F(snd_pcm_hw_params_get_rate_max) F(snd_pcm_hw_params_get_rate_min) F(snd_pcm_hw_params_malloc) \
  F(snd_pcm_hw_params_set_access) F(snd_pcm_hw_params_set_buffer_size_near) F(snd_pcm_hw_params_set_channels) \
  F(snd_pcm_hw_params_set_channels_near) F(snd_pcm_hw_params_set_format) \
  F(snd_pcm_hw_params_set_period_size_near) F(snd_pcm_hw_params_set_rate) F(snd_pcm_hw_params_set_rate_near) \
  F(snd_pcm_hw_params_test_access) F(snd_pcm_hw_params_test_channels) F(snd_pcm_hw_params_test_format) \
  F(snd_pcm_hw_params_test_rate) F(snd_pcm_info_free) F(snd_pcm_info_get_name) F(snd_pcm_info_malloc) \
  F(snd_pcm_info_set_device) F(snd_pcm_info_set_stream) F(snd_pcm_info_set_subdevice) F(snd_pcm_open) \
  F(snd_pcm_pause) F(snd_pcm_prepare) F(snd_pcm_readi) F(snd_pcm_resume) F(snd_pcm_start) F(snd_pcm_state) \
  F(snd_pcm_status) F(snd_pcm_status_free) F(snd_pcm_status_get_avail) F(snd_pcm_status_get_htstamp) \
  F(snd_pcm_status_get_state) F(snd_pcm_status_malloc) F(snd_pcm_sw_params) F(snd_pcm_sw_params_current) \
  F(snd_pcm_sw_params_free) F(snd_pcm_sw_params_get_boundary) F(snd_pcm_sw_params_malloc) \
  F(snd_pcm_sw_params_set_avail_min) F(snd_pcm_sw_params_set_silence_size) \
  F(snd_pcm_sw_params_set_start_threshold) F(snd_pcm_sw_params_set_stop_threshold) \
  F(snd_pcm_sw_params_set_tstamp_mode) F(snd_pcm_sw_params_set_tstamp_type) F(snd_pcm_type) F(snd_pcm_wait) \
  F(snd_pcm_writei) F(snd_strerror)

#include "library.h"
