// SPDX-License-Identifier: Apache-2.0
// expect: 'LoadState<[String]>' has no member 'vlaue'
import Tidings

@MainActor
final class Screen {
    var names: [String] = []

    func start(_ publisher: StatePublisher<[String]>) {
        publisher.states.where { !$0.isLoading }.observe(owner: self, on: .main) { screen, state in
            screen.names = state.vlaue ?? []
        }
    }
}
