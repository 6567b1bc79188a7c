// SPDX-License-Identifier: Apache-2.0
// expect: not marked with 'try'
import Tidings

protocol DownloadObserver: AnyObject, Sendable { func completed() }

func start(_ delegates: Delegates<any DownloadObserver>, _ screen: any DownloadObserver) {
    delegates.add(screen)
}
