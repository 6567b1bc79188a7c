// SPDX-License-Identifier: Apache-2.0
// expect: replaced by 'states.where(_:)'
import Tidings

func start(_ names: StatePublisher<[String]>) -> ObservationToken {
    names.where { !$0.isLoading }.observe { state in print(state) }
}
