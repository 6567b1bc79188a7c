// SPDX-License-Identifier: Apache-2.0
// expect: read 'lastData' or 'state.value', change with 'update'
import Tidings

func load(_ names: StatePublisher<[String]>) {
    print(names.value ?? [])
}
