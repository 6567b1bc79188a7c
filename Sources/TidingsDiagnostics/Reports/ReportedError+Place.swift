// SPDX-License-Identifier: Apache-2.0

extension [ReportedError] {
    /// The line of the code that failed, as `#fileID:line`.
    ///
    /// This is the location of the innermost error with a location. A recording may happen far away
    /// from the failure, for example in the observer of a message.
    package var place: String? {
        last { $0.location?.isEmpty == false }?.location
    }

    /// The key of errors that are not characterized by the place of the recording.
    ///
    /// The key contains the types and codes of the errors and the file that failed, but no line,
    /// because lines move between releases. The key is empty without a place.
    var grouping: [String] {
        guard let place else { return [] }
        let names = map { error in error.code.map { "\(error.domain).\($0)" } ?? error.domain }
        let file = place.lastIndex(of: ":").map { String(place[..<$0]) } ?? place
        return names + [file]
    }
}
