// SPDX-License-Identifier: Apache-2.0
// expect warning: result of call to 'observe(
import Tidings

func start(_ names: StatePublisher<String>) {
    names.observe { state in print(state) }
}
