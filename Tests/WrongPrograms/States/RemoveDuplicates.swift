// SPDX-License-Identifier: Apache-2.0
// expect: has been replaced by 'states.removingDuplicates()'
import Tidings

func follow(_ volume: StatePublisher<Int>) -> ObservationToken {
    volume.removeDuplicates().observe { state in print(state.phase) }
}
