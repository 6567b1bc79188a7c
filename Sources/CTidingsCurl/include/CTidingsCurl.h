// SPDX-License-Identifier: Apache-2.0
// libcurl as Swift can call it.
#pragma once

#include <curl/curl.h>
