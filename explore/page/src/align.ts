// Two lists side by side: which rows are the same, and which one side has alone.

export interface Aligned<T> {
    a?: T;
    b?: T;
}

/** More cells than this are not compared: what lies between the first and the last difference is shown as different. */
const CELLS = 1_000_000;

/** The rows of two lists in order, with as many the same as can be. */
export function aligned<T>(a: T[], b: T[], key: (row: T) => string): Aligned<T>[] {
    const [ka, kb] = [a.map(key), b.map(key)];
    let start = 0;
    while (start < a.length && start < b.length && ka[start] === kb[start]) start++;
    let [endA, endB] = [a.length, b.length];
    while (endA > start && endB > start && ka[endA - 1] === kb[endB - 1]) {
        endA--;
        endB--;
    }
    const rows: Aligned<T>[] = [];
    const both = (i: number, j: number) => rows.push({ a: a[i]!, b: b[j]! });
    for (let i = 0; i < start; i++) both(i, i);
    rows.push(...between(a, b, ka, kb, [start, endA, start, endB]));
    for (let i = endA; i < a.length; i++) both(i, i - endA + endB);
    return rows;
}

function between<T>(
    a: T[],
    b: T[],
    ka: string[],
    kb: string[],
    [fromA, toA, fromB, toB]: [number, number, number, number],
): Aligned<T>[] {
    const [n, m] = [toA - fromA, toB - fromB];
    const rows: Aligned<T>[] = [];
    if (n * m > CELLS) {
        for (let i = 0; i < Math.max(n, m); i++) rows.push(pair(a, b, fromA + i < toA ? fromA + i : -1, fromB + i < toB ? fromB + i : -1));
        return rows;
    }
    // The length of the longest common part of what follows.
    const longest = Array.from({ length: n + 1 }, () => new Uint32Array(m + 1));
    for (let i = n - 1; i >= 0; i--) {
        for (let j = m - 1; j >= 0; j--) {
            const same = ka[fromA + i] === kb[fromB + j];
            longest[i]![j] = same ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
        }
    }
    let [i, j] = [0, 0];
    while (i < n || j < m) {
        const [onlyA, onlyB]: [number[], number[]] = [[], []];
        while ((i < n || j < m) && !(i < n && j < m && ka[fromA + i] === kb[fromB + j])) {
            if (j >= m || (i < n && longest[i + 1]![j]! >= longest[i]![j + 1]!)) onlyA.push(fromA + i++);
            else onlyB.push(fromB + j++);
        }
        // What one side has in place of what the other has stands beside it.
        for (let row = 0; row < Math.max(onlyA.length, onlyB.length); row++) {
            rows.push(pair(a, b, onlyA[row] ?? -1, onlyB[row] ?? -1));
        }
        if (i < n && j < m) rows.push(pair(a, b, fromA + i++, fromB + j++));
    }
    return rows;
}

function pair<T>(a: T[], b: T[], i: number, j: number): Aligned<T> {
    const row: Aligned<T> = {};
    if (i >= 0) row.a = a[i]!;
    if (j >= 0) row.b = b[j]!;
    return row;
}
