// SPDX-License-Identifier: Apache-2.0
// expect: 'LoadState<[String]>' has no member 'vlaue'
import Tidings

func start(_ names: StatePublisher<[String]>) -> ObservationToken {
    names.observe { state in
        let count = state.vlaue?.count
        print(count ?? 0)
    }
}
