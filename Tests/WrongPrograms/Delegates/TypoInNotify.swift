// SPDX-License-Identifier: Apache-2.0
// expect: has no member 'compelted'
import Tidings

protocol DownloadObserver: AnyObject, Sendable { func completed() }

func start(_ delegates: Delegates<any DownloadObserver>) {
    delegates.notify { $0.compelted() }
}
