// SPDX-License-Identifier: Apache-2.0
// expect: 'any DownloadObserver' does not conform to the 'Sendable' protocol
import Tidings

protocol DownloadObserver: AnyObject { func completed() }

final class Download {
    let delegates = Delegates<any DownloadObserver>()
}
