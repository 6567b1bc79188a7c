// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'states.values'
import Tidings

func follow(_ names: StatePublisher<[String]>) async {
    for await state in names.values { print(state.phase) }
}
