// SPDX-License-Identifier: Apache-2.0
// expect: cannot find '$names' in scope
import Tidings

final class Model: Sendable {
    let names = StatePublisher<[String]>()

    func start() -> ObservationToken {
        $names.observe { state in print(state) }
    }
}
