// SPDX-License-Identifier: Apache-2.0
// Data that is loaded once for all observers, in four states.
import Tidings
import TidingsResources

func fetchProducts() async throws -> [String] { ["tea", "bread"] }

let products = Resource(options: ResourceOptions(staleAfter: .seconds(60)), loader: fetchProducts)
let token = products.publisher.observe { state in
    switch state {
    case .unknown: print("nothing yet")
    case .loading(let previous): print("loading, still showing \(previous ?? [])")
    case .loaded(let products): print("showing \(products)")
    case .error(let error): print("failed: \(error)")
    }
}
try await products.refresh()
token.cancel()
