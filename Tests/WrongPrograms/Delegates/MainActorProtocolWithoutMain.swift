// SPDX-License-Identifier: Apache-2.0
// expect: call to main actor-isolated instance method 'completed()'
import Tidings

@MainActor
protocol DownloadObserver: AnyObject, Sendable { func completed() }

func start(_ delegates: Delegates<any DownloadObserver>) {
    delegates.notify { $0.completed() }
}
