// SPDX-License-Identifier: Apache-2.0
// expect: 'User' conform to 'Equatable'
import Tidings

struct User: Sendable { let name: String }

func isSame(_ left: LoadState<User>, _ right: LoadState<User>) -> Bool {
    left == right
}
