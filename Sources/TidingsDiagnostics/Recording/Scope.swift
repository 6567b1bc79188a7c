// SPDX-License-Identifier: Apache-2.0

/// The user, keys and breadcrumbs that a report includes.
struct Scope {
    /// The maximum number of keys, beyond which keys are refused and counted.
    static let valueLimit = 64

    private(set) var values: [String: ReportValue] = [:]
    var user: String?
    private(set) var refusedValues = 0
    var breadcrumbs = BreadcrumbRing()

    /// Sets a key and returns whether it was accepted.
    mutating func set(_ value: ReportValue?, for name: String) -> Bool {
        if value != nil, values[name] == nil, values.count >= Self.valueLimit {
            refusedValues += 1
            return false
        }
        values[name] = value
        return true
    }

    /// The part that is stored in the file of a run.
    var record: ScopeRecord { ScopeRecord(user: user, values: values) }
}
