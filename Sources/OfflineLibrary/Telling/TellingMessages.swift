// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// A person's response to a notification leads somewhere.
package struct NavigationRequested: Message {
    /// A place of the program.
    package enum Place: String, Sendable, Codable {
        case library
        case downloads
    }

    package let place: Place
    /// What the notification was about.
    package let item: ItemID?
    /// Whether the item is to be played.
    package var plays = false
    /// Whether the person is in the page already, which goes there by itself.
    package var isInPage = false
    /// With what a window may come to the front, where the desktop wants that.
    package var activationToken: String?
}

/// The registry refused something that was asked of the library.
package struct RegistryFailed: Message {
    package let operation: String
    package let error: LibraryError

    package init(operation: String, error: LibraryError) {
        self.operation = operation
        self.error = error
    }
}

/// The list of recorded errors is another one than before.
package struct ReportsChanged: Message {
    /// A report that told of itself would say nothing.
    package static let tracing = MessageTracing.hidden
}

/// The run before this one crashed; posted once, when the program has begun.
package struct PreviousRunCrashed: Message {
    /// What is known of it; nil when its report is not on this machine any more.
    package let report: ReportSummary?
}
