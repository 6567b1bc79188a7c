// SPDX-License-Identifier: Apache-2.0
// A target needs a source.
#include "COfflineQR.h"
