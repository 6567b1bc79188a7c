// SPDX-License-Identifier: Apache-2.0
// expect: mutation of captured var 'count'
import Tidings
import TidingsResources

func makeNames() -> Resource<Int> {
    var count = 0
    return Resource {
        count += 1
        return count
    }
}
