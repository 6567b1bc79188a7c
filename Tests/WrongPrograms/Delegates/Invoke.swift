// SPDX-License-Identifier: Apache-2.0
// expect: 'invoke' has been renamed to 'notify(_:)'
import Tidings

protocol DownloadObserver: AnyObject, Sendable { func completed() }

func start(_ delegates: Delegates<any DownloadObserver>) {
    delegates.invoke { $0.completed() }
}
