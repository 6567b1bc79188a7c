// SPDX-License-Identifier: Apache-2.0
// expect: 'replaying' on 'Selection' requires that 'LoadState<String>' conform to 'Message'
import Tidings

func start(_ names: StatePublisher<String>) -> ObservationToken {
    names.states.replaying(.last(1)).observe { print($0) }
}
