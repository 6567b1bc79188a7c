// SPDX-License-Identifier: Apache-2.0
// expect: not marked with 'try'
import Tidings
import TidingsResources

func load(_ names: Resource<[String]>) async throws {
    let loaded = names.refresh()
    print(loaded)
}
