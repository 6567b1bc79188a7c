// SPDX-License-Identifier: Apache-2.0
// expect: stored property 'name' of 'Sendable'-conforming class 'LoggedIn' is mutable
import Tidings

final class LoggedIn: Message { var name = "" }
