// SPDX-License-Identifier: Apache-2.0
// expect: 'Screen' does not conform to expected type 'DownloadObserver'
import Tidings

protocol DownloadObserver: AnyObject, Sendable { func completed() }

final class Screen: Sendable {}

func start(_ delegates: Delegates<any DownloadObserver>, _ screen: Screen) throws {
    try delegates.add(screen)
}
