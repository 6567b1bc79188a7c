// SPDX-License-Identifier: Apache-2.0
// expect: call the token's 'cancel()'
import Tidings

final class Log: Sendable {
    func stop(_ center: MessageCenter) {
        center.removeObserver(self)
    }
}
