// SPDX-License-Identifier: Apache-2.0
// Imports libcrypto for Swift.
#pragma once

#include <openssl/evp.h>
