// SPDX-License-Identifier: Apache-2.0
// expect: replaced by 'publisher.observe(owner:on:_:)'
import Tidings
import TidingsResources

@MainActor
final class Screen {
    var names: [String] = []

    func start(_ resource: Resource<[String]>) {
        resource.observe(owner: self, on: .main) { screen, state in
            screen.names = state.value ?? []
        }
    }
}
