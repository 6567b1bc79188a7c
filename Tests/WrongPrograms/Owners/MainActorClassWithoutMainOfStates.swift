// SPDX-License-Identifier: Apache-2.0
// expect: main actor-isolated property 'title'
import Tidings

@MainActor
final class Screen {
    var title = ""

    func start(_ names: StatePublisher<String>) {
        names.observe(owner: self) { screen, state in
            screen.title = state.value ?? ""
        }
    }
}
