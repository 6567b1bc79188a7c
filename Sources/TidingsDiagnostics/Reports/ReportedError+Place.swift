// SPDX-License-Identifier: Apache-2.0

extension [ReportedError] {
    /// The line of the code that failed, as `#fileID:line`: that of the innermost error with one.
    ///
    /// A recording may happen far away from the failure, for example in the observer of a message.
    package var place: String? {
        last { $0.location?.isEmpty == false }?.location
    }

    /// The key of errors whose recording says nothing about them: the types and codes of the errors
    /// and the file that failed; empty without a place.
    ///
    /// Contains no line, because lines move between releases.
    var grouping: [String] {
        guard let place else { return [] }
        let names = map { error in error.code.map { "\(error.domain).\($0)" } ?? error.domain }
        let file = place.lastIndex(of: ":").map { String(place[..<$0]) } ?? place
        return names + [file]
    }
}
