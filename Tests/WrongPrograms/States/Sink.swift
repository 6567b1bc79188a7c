// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'observe(_:)'
import Tidings

func start(_ names: StatePublisher<[String]>) -> ObservationToken {
    names.sink { state in print(state) }
}
