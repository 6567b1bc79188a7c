// SPDX-License-Identifier: Apache-2.0
// libcrypto as Swift can call it.
#pragma once

#include <openssl/evp.h>
