// SPDX-License-Identifier: Apache-2.0
// expect: 'user' of 'Sendable'-conforming struct 'LoggedIn' has non-Sendable type 'User'
import Tidings

final class User { var name = "" }

struct LoggedIn: Message { let user: User }
