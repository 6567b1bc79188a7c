// SPDX-License-Identifier: Apache-2.0
// A state with four cases that a screen shows.
import Tidings

let products = StatePublisher<[String]>(staleAfter: .seconds(60))
let token = products.observe { state in
    switch state {
    case .unknown: print("nothing yet")
    case .loading(let previous): print("loading, still showing \(previous ?? [])")
    case .loaded(let products): print("showing \(products)")
    case .error(let error): print("failed: \(error)")
    }
}
products.startLoading()
products.updateData(["tea", "bread"])
products.startLoading()
token.cancel()
