// SPDX-License-Identifier: Apache-2.0
// expect: not marked with 'try'
import Tidings

func load(_ names: Resource<[String]>) async throws {
    let loaded = names.refresh()
    print(loaded)
}
