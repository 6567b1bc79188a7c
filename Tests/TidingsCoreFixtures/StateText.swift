// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// Returns a state in a form that tests can compare.
package func text(_ state: LoadState<Int>) -> String {
    switch state {
    case .unknown: "unknown"
    case .loading(let previous): "loading \(previous.map(String.init) ?? "-")"
    case .loaded(let data): "loaded \(data)"
    case .error: "error"
    }
}
