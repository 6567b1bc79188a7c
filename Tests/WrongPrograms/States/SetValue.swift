// SPDX-License-Identifier: Apache-2.0
// expect: read 'lastData' or 'state.value', change with 'update'
import Tidings

struct Settings: Sendable { var volume = 5 }

func louder(_ settings: StatePublisher<Settings>) {
    settings.value.volume = 6
}
