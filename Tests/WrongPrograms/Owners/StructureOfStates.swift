// SPDX-License-Identifier: Apache-2.0
// expect: requires that 'Log' be a class type
import Tidings

struct Log: Sendable {
    func start(_ names: StatePublisher<String>) {
        names.observe(owner: self) { _, state in print(state) }
    }
}
