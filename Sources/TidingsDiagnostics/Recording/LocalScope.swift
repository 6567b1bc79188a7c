// SPDX-License-Identifier: Apache-2.0

/// The keys that a task has set for itself and for its children, for each reporter.
enum LocalScope {
    @TaskLocal static var values: [ObjectIdentifier: [String: ReportValue]] = [:]
}
