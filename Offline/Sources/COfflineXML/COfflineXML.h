// SPDX-License-Identifier: Apache-2.0
// Imports the reader of libxml2 for Swift.
#pragma once

#include <libxml/parser.h>
#include <libxml/xmlreader.h>
