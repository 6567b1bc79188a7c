// SPDX-License-Identifier: Apache-2.0
// Imports libqrencode for Swift.
#pragma once

#include <qrencode.h>
