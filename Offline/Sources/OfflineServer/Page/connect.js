// SPDX-License-Identifier: Apache-2.0
// Connects to the server while the browser still loads the other scripts.

import { connect } from "./shared/store.js";

connect();
