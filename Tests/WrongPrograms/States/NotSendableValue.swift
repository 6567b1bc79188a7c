// SPDX-License-Identifier: Apache-2.0
// expect: 'User' does not conform to the 'Sendable' protocol
import Tidings

final class User { var name = "" }

let users = StatePublisher<User>()
