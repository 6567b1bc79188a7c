// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
package import OfflineSources
package import TidingsHTTP

/// The result of a check as changes of the registry, a value without side effects.
package struct FeedUpdate {
    /// A new entry.
    ///
    /// A wanted entry has a request for the download.
    struct Entry: Sendable {
        let choice: FeedSelection.Choice
        let request: DownloadRequest?
    }

    /// The feed after the check.
    private(set) var feed: Feed
    /// The new entries, the oldest first.
    ///
    /// The newest entry thus becomes the newest item.
    private(set) var entries: [Entry] = []
    /// The names to remember for known entries.
    private(set) var aliases: [FeedSelection.Alias] = []
    /// All names in the document, or nil without a new document.
    private(set) var names: Set<String>?
    private let now: Date
    private let timing: FeedTiming

    /// Creates an update of a feed whose check ends now.
    package init(_ feed: Feed, at now: Date, _ timing: FeedTiming) {
        self.feed = feed
        self.now = now
        self.timing = timing
        self.feed.checkedAt = now
    }

    /// Records that the document has not changed.
    package mutating func keep(_ response: FeedResponse, options: RequestOptions) {
        move(after: response, with: options)
        succeed(maxAge: response.maxAge)
    }

    /// Records a document.
    ///
    /// - Parameters:
    ///   - document: The feed.
    ///   - response: The facts of the response.
    ///   - options: The options of the feed's requests.
    ///   - seen: The names of the entries that the feed has had before.
    package mutating func replace(
        by document: FeedDocument,
        _ response: FeedResponse,
        options: RequestOptions,
        seen: Set<String>
    ) {
        let origin = feed.address
        move(after: response, with: options)
        if !document.title.isEmpty { feed.title = document.title }
        feed.validators = response.validators
        feed.period = document.period
        feed.entryCount = document.entries.count
        feed.withoutMedia = document.withoutMedia
        let selection = FeedSelection(
            document,
            seen: seen,
            keep: feed.keep,
            keepsPages: feed.keepsPages
        )
        aliases = selection.aliases
        names = selection.names
        entries = selection.choices.reversed().map { choice in
            Entry(
                choice: choice,
                request: choice.isWanted ? request(choice, options, origin: origin) : nil
            )
        }
        succeed(maxAge: response.maxAge)
    }

    /// Records a failure.
    ///
    /// A feed that is permanently gone is not checked again.
    package mutating func fail(_ error: FeedError, retryAfter: Duration?) {
        feed.failures += 1
        feed.failure = ItemFailure(code: error.code.description, message: error.message)
        let delay = timing.delay(afterFailures: feed.failures, retryAfter: retryAfter)
        feed.nextCheck = error.code == .gone ? nil : now + delay.seconds
    }

    private mutating func succeed(maxAge: Duration?) {
        feed.failures = 0
        feed.failure = nil
        feed.nextCheck = now + timing.delay(period: feed.period, maxAge: maxAge).seconds
    }

    /// Updates the address after a permanent redirect.
    ///
    /// A feed with credentials moves only within its origin, because credentials must not reach
    /// another origin.
    private mutating func move(after response: FeedResponse, with options: RequestOptions) {
        guard let address = response.movedTo,
            address.origin == feed.address.origin
                || options.headers.isEmpty && options.cookies.isEmpty
        else { return }
        feed.address = address
    }

    private func request(
        _ choice: FeedSelection.Choice,
        _ options: RequestOptions,
        origin: WebAddress
    ) -> DownloadRequest? {
        var request = DownloadRequest(
            .address(choice.address),
            allowsPrivateAddresses: feed.allowsPrivateAddresses
        )
        request.picture = choice.entry.picture
        let own = options.forEntry(at: choice.address, ofFeedAt: origin)
        // Options that fit the feed also fit an entry, because an entry never has more options.
        guard (try? request.setOptions(own)) != nil else { return nil }
        return request
    }
}

/// The facts of a response that a check keeps.
package struct FeedResponse: Sendable {
    /// The validators of the document.
    var validators = FeedValidators()
    /// The time for which the response stays valid.
    var maxAge: Duration?
    /// The address after permanent redirects only, or nil without such a redirect.
    var movedTo: WebAddress?

    /// Creates the facts.
    init(validators: FeedValidators = .init(), maxAge: Duration? = nil, movedTo: WebAddress? = nil)
    {
        self.validators = validators
        self.maxAge = maxAge
        self.movedTo = movedTo
    }

    /// Reads the facts of a transfer.
    package init(_ transfer: HTTPTransfer) {
        validators = FeedValidators(transfer.head)
        maxAge = Self.maxAge(transfer.head)
        movedTo = transfer.permanentAddress
    }

    private static func maxAge(_ head: HTTPResponseHead) -> Duration? {
        let directives = head.headers.all("Cache-Control").joined(separator: ",")
        guard let match = directives.lowercased().firstMatch(of: /(?:^|[\s,])max-age="?(\d{1,9})/),
            let seconds = Int(match.1)
        else { return nil }
        return .seconds(seconds)
    }
}

extension Duration {
    /// The duration in seconds, for dates.
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
